import { ButtonLink } from '~/ui/button';
import button from '~/ui/button.module.css';
import { ArrowRightIcon } from '~/ui/icons';

interface ButtonToProps {
  /** What it says; empty for no button. */
  label: string;
  /** An address of this shop, or a whole one. */
  link: string;
  kind?: 'primary' | 'second';
}

/** The button of a block. What lies outside of this shop is the browser's to open. */
export function ButtonTo({ label, link, kind = 'second' }: ButtonToProps) {
  if (!label) return null;
  if (link.startsWith('/') || link.startsWith('#')) {
    return (
      <ButtonLink kind={kind} to={link} end={<ArrowRightIcon />}>
        {label}
      </ButtonLink>
    );
  }
  return (
    <a className={`${button.button} ${button[kind]}`} href={link}>
      <span>{label}</span>
      <span className={button.end} aria-hidden="true">
        <ArrowRightIcon />
      </span>
    </a>
  );
}
