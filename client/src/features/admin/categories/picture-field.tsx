import { useId, useState } from 'react';
import { extensionsOf } from '~/features/admin/picture-types';
import { UploadRefused } from '~/features/admin/upload';
import { uploadPicture } from '~/features/admin/upload-picture';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import styles from './categories.module.css';
import type { PictureDraft } from './draft';
import { texts } from './texts';

interface PictureFieldProps {
  picture: PictureDraft | null;
  /** Accepted kinds, as MIME types. */
  types: readonly string[];
  error: string | undefined;
  disabled: boolean;
  onChange: (picture: PictureDraft | null) => void;
}

/** Sends a chosen file at once; what part of it has left is `share`. */
function useUpload(onUploaded: (picture: PictureDraft) => void) {
  const [share, setShare] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string>();

  async function send(file: File) {
    setRefusal(undefined);
    setShare(0);
    try {
      const id = await uploadPicture(file, setShare, new AbortController().signal);
      onUploaded({ id, src: URL.createObjectURL(file) });
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      setRefusal(error.message || texts.uploadFailed);
    } finally {
      setShare(null);
    }
  }

  return { share, refusal, send };
}

/** The picture of a category: chosen, replaced, removed. */
export function PictureField({ picture, types, error, disabled, onChange }: PictureFieldProps) {
  const id = useId();
  const { share, refusal, send } = useUpload(onChange);
  const problem = refusal ?? error;
  return (
    <fieldset className={styles.picture} disabled={disabled}>
      <legend>{texts.picture}</legend>
      {picture && <img src={picture.src} alt="" />}
      <input
        id={id}
        type="file"
        className="visually-hidden"
        accept={types.join(',')}
        aria-describedby={problem ? `${id}-error` : undefined}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void send(file);
          // Choosing the same file once more is a change again.
          target.value = '';
        }}
      />
      <label htmlFor={id}>
        <span className="link">{picture ? texts.replacePicture : texts.choosePicture}</span>{' '}
        <span className="small soft">{extensionsOf(types).join(', ')}</span>
      </label>
      {share !== null && <progress value={share} aria-label={texts.uploading} />}
      {problem && <ErrorNote id={`${id}-error`}>{problem}</ErrorNote>}
      {picture && (
        <Button small onClick={() => onChange(null)}>
          {texts.removePicture}
        </Button>
      )}
    </fieldset>
  );
}
