import { UploadIcon } from '~/ui/icons';
import styles from './add-pictures.module.css';
import { extensionsOf } from '~/features/admin/picture-types';

interface AddPicturesProps {
  /** Accepted kinds, as MIME types. */
  types: readonly string[];
  onAdd: (files: readonly File[]) => void;
}

/** The last place in a row of pictures: press it, or drop files on it. */
export function AddPictures({ types, onAdd }: AddPicturesProps) {
  return (
    <label className={styles.add}>
      <input
        type="file"
        multiple
        accept={types.join(',')}
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])]);
          // Choosing the same file once more is a change again.
          target.value = '';
        }}
      />
      <UploadIcon />
      <span>Add pictures</span>
      <span className="small soft">{extensionsOf(types).join(', ')}</span>
    </label>
  );
}
