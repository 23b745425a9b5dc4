import { useMemo, useState } from 'react';
import { ErrorNote } from '~/ui/error-note';
import { Select } from '~/ui/field';
import { randomId } from '~/ui/random-id';
import { AddPictures } from './add-pictures';
import styles from './product-form.module.css';
import type { ColorDraft, PictureDraft } from './product-rules';
import { texts } from './texts';
import { useObjectUrls } from './use-object-urls';

interface PictureChooserProps {
  /** Accepted kinds, as MIME types. */
  types: readonly string[];
  images: readonly PictureDraft[];
  colors: readonly ColorDraft[];
  onChange: (images: PictureDraft[]) => void;
  error?: string | undefined;
  /** Which picture is on its way, and how much of it has left. */
  progress: { key: string; share: number } | null;
}

/** Pictures from this computer, shown before they are sent. The first one is shown in lists. */
export function PictureChooser({ types, images, colors, onChange, error, progress }: PictureChooserProps) {
  const [strange, setStrange] = useState<string | null>(null);
  // The form's draft outlives the tab of the back office.
  useObjectUrls(
    useMemo(() => images.map(({ preview }) => preview), [images]),
    { kept: true },
  );

  function add(files: readonly File[]) {
    const fitting = files.filter(({ type }) => types.includes(type));
    setStrange(files.find((file) => !fitting.includes(file))?.name ?? null);
    const drafts = fitting.map((file) => ({
      key: randomId(),
      file,
      preview: URL.createObjectURL(file),
      colorKey: '',
    }));
    onChange([...images, ...drafts]);
  }

  const change = (key: string, colorKey: string) =>
    onChange(images.map((image) => (image.key === key ? { ...image, colorKey } : image)));

  return (
    <div className={styles.part}>
      <ul className={styles.pictures} aria-label="Pictures">
        {images.map((image, index) => (
          <li key={image.key}>
            <img src={image.preview} alt={image.file.name} />
            {progress?.key === image.key && (
              <progress value={progress.share} aria-label={`Uploading ${image.file.name}`} />
            )}
            <Select
              label={`Color of picture ${index + 1}`}
              labelHidden
              value={image.colorKey}
              onChange={({ target }) => change(image.key, target.value)}
            >
              <option value="">Every color</option>
              {colors.map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </Select>
            <button
              type="button"
              className="link small"
              aria-label={`Remove ${image.file.name}`}
              onClick={() => onChange(images.filter(({ key }) => key !== image.key))}
            >
              Remove
            </button>
          </li>
        ))}
        <li>
          <AddPictures types={types} onAdd={add} />
        </li>
      </ul>
      {strange && <ErrorNote>{texts.notAPicture(strange)}</ErrorNote>}
      {error && <ErrorNote>{error}</ErrorNote>}
    </div>
  );
}
