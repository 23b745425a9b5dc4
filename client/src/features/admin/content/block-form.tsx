import { type RefObject, useEffect, useRef } from 'react';
import { Field, TextArea } from '~/ui/field';
import { BlockField, type FormAround } from './block-field';
import styles from './content.module.css';
import type { KindForm } from './page-draft';
import { texts } from './texts';
import type { PageForm } from './use-page-draft';

interface BlockFormProps {
  form: PageForm;
  kinds: readonly KindForm[];
  /** Key of the chosen block, or any other for the page's own texts. */
  chosen: string;
  around: FormAround;
}

/** Where the form is below the list, a choice brings it into view. */
function useInView(chosen: string) {
  const form = useRef<HTMLElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    const top = form.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) form.current?.scrollIntoView();
  }, [chosen]);
  return form;
}

/** The fields of the chosen block, or of the page itself. */
export function BlockForm({ form, kinds, chosen, around }: BlockFormProps) {
  const { draft } = form;
  const element = useInView(chosen);
  const at = draft.blocks.findIndex(({ key }) => key === chosen);
  const block = draft.blocks[at];
  const kind = kinds.find(({ key }) => key === block?.kind);
  if (!block || !kind) return <PageTexts element={element} form={form} around={around} />;
  return (
    <section ref={element} className={styles.form} aria-label={kind.label}>
      <h3>{kind.label}</h3>
      <p className="small soft">{kind.description}</p>
      <div key={block.key} className={styles.fields}>
        {kind.fields.map((field) => (
          <BlockField
            key={field.name}
            field={field}
            place={`blocks.${at}.${field.name}`}
            value={block.values[field.name]}
            around={around}
            onChange={(change) => form.editBlock(block.key, field.name, change)}
          />
        ))}
      </div>
    </section>
  );
}

interface PageTextsProps extends Pick<BlockFormProps, 'form' | 'around'> {
  element: RefObject<HTMLElement | null>;
}

function PageTexts({ element, form: { draft, page, edit }, around: { problems } }: PageTextsProps) {
  return (
    <section ref={element} className={styles.form} aria-label={texts.about}>
      <h3>{texts.about}</h3>
      <p className="small soft">{page.path}</p>
      <div className={styles.fields}>
        <Field
          label={texts.pageTitle}
          maxLength={120}
          value={draft.title}
          error={problems['title']}
          onChange={({ target }) => edit({ title: target.value })}
        />
        <TextArea
          label={texts.description}
          note={texts.descriptionNote}
          rows={3}
          maxLength={300}
          value={draft.description}
          error={problems['description']}
          onChange={({ target }) => edit({ description: target.value })}
        />
      </div>
    </section>
  );
}
