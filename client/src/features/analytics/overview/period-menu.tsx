import { ChevronDownIcon } from '~/ui/icons';
import styles from './overview.module.css';
import { texts } from './texts';
import { type Comparison, comparisons, comparisonWords, type Preset, presets, presetWords } from './words';

interface PeriodMenuProps {
  preset: Preset;
  versus: Comparison;
  onChange: (period: { preset: Preset; versus: Comparison }) => void;
}

/** Which time the charts are about, and what it is compared with. */
export function PeriodMenu({ preset, versus, onChange }: PeriodMenuProps) {
  return (
    <>
      <span className={styles.menu}>
        <select
          aria-label={texts.period}
          value={preset}
          onChange={({ target }) =>
            onChange({ preset: presets.find((each) => each === target.value) ?? preset, versus })
          }
        >
          {presets.map((each) => (
            <option key={each} value={each}>
              {presetWords(each)}
            </option>
          ))}
        </select>
        <ChevronDownIcon size={14} />
      </span>
      <span className={`${styles.menu} soft`}>
        <span aria-hidden="true">{texts.comparedWith}</span>
        <select
          aria-label={texts.comparison}
          value={versus}
          onChange={({ target }) =>
            onChange({ preset, versus: comparisons.find((each) => each === target.value) ?? versus })
          }
        >
          {comparisons.map((each) => (
            <option key={each} value={each}>
              {comparisonWords(each)}
            </option>
          ))}
        </select>
        <ChevronDownIcon size={14} />
      </span>
    </>
  );
}
