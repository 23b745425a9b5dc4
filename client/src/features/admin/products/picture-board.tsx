import { useState } from 'react';
import { texts } from './texts';
import { ErrorNote } from '~/ui/error-note';
import { randomId } from '~/ui/random-id';
import { Segments } from '~/ui/segments';
import { AddPictures } from './add-pictures';
import type { ColorDraft, PictureDraft, ProductDraft } from './product-draft';
import styles from './product-form.module.css';
import { PictureDialog } from './picture-dialog';
import { extensionsOf } from '~/features/admin/picture-types';
import { reorder } from '~/features/admin/reorder';
import { Sortable, useSorted } from '~/features/admin/sortable';

interface PictureBoardProps {
  types: readonly string[];
  most: number;
  draft: ProductDraft;
  error?: string | undefined;
  /** Of the pictures that are on their way, how much has left. */
  shares: Readonly<Record<string, number>>;
  onChange: (pictures: PictureDraft[]) => void;
  onUpload: (files: { key: string; file: File }[]) => void;
  onStop: (key: string) => void;
}

const namesOf = (files: readonly File[]) => files.map(({ name }) => name);

const EVERY: ColorDraft = { key: '', name: 'Every color', hex: '' };

/** What a picture shows beyond what the heading above it says already: "Front" of "Straight Jean, Indigo, front". */
function captionOf({ alt, file }: PictureDraft, name: string, color: string): string {
  const parts = (alt || file?.name || 'Picture').split(', ');
  const own = parts.filter((part) => part !== name && part !== color).join(', ');
  const words = own || parts.join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What pictures are shown of at first. */
const firstShown = (places: readonly ColorDraft[], pictures: readonly PictureDraft[]) =>
  places.find(({ key }) => pictures.some(({ colorKey }) => colorKey === key)) ?? EVERY;

interface TileProps {
  picture: PictureDraft;
  /** What it shows, in a word or two. */
  words: string;
  place: string;
  share: number | undefined;
  onEdit: () => void;
  onStop: () => void;
}

function Tile({ picture, words, place, share, onEdit, onStop }: TileProps) {
  const { grip, item } = useSorted(picture.key, { label: `Move ${words}, ${place}`, anywhere: true });
  return (
    <li {...item}>
      {grip}
      <img src={picture.src} alt={words} draggable={false} />
      {share !== undefined && <progress value={share} aria-label={`Uploading ${words}`} />}
      <div className={styles.caption}>
        {share === undefined ? (
          <>
            <span>{words}</span>
            <button type="button" className="link" aria-label={`Edit ${words}`} onClick={onEdit}>
              Edit
            </button>
          </>
        ) : (
          <>
            <span>Uploading, {Math.round(share * 100)}%</span>
            <button type="button" className="link" aria-label={`Stop uploading ${words}`} onClick={onStop}>
              Stop
            </button>
          </>
        )}
      </div>
    </li>
  );
}

/** Pictures of one color at a time: added, put into order, replaced, taken away. */
export function PictureBoard({ types, most, draft, error, shares, onChange, onUpload, onStop }: PictureBoardProps) {
  const places = [...draft.colors, EVERY];
  const [colorKey, setColorKey] = useState(() => firstShown(places, draft.pictures).key);
  const [editing, setEditing] = useState<string | null>(null);
  const [fileErrors, setFileErrors] = useState<readonly string[]>([]);
  const [announcement, setAnnouncement] = useState('');
  const chosen = places.find(({ key }) => key === colorKey) ?? EVERY;
  const { pictures } = draft;
  const shown = pictures.filter((picture) => picture.colorKey === chosen.key);
  const edited = pictures.find(({ key }) => key === editing);

  function acceptedOf(files: readonly File[]): { key: string; file: File }[] {
    const fitting = files.filter(({ type }) => types.includes(type));
    const rejected = files.filter((file) => !fitting.includes(file));
    const accepted = fitting.slice(0, most - pictures.length);
    const leftOut = fitting.slice(accepted.length);
    setFileErrors([
      ...(rejected.length > 0 ? [texts.notPictures(namesOf(rejected), extensionsOf(types))] : []),
      ...(leftOut.length > 0 ? [texts.tooManyPictures(most, namesOf(leftOut))] : []),
    ]);
    return accepted.map((file) => ({ key: randomId(), file }));
  }

  function add(files: readonly File[]) {
    const sent = acceptedOf(files);
    onChange([
      ...pictures,
      ...sent.map(({ key, file }) => ({
        key,
        imageId: null,
        colorKey: chosen.key,
        alt: '',
        src: URL.createObjectURL(file),
        file,
      })),
    ]);
    onUpload(sent);
  }

  function replace(picture: PictureDraft, file: File) {
    setEditing(null);
    if (!types.includes(file.type)) return setFileErrors([texts.notPictures([file.name], extensionsOf(types))]);
    setFileErrors([]);
    const key = randomId();
    const src = URL.createObjectURL(file);
    onChange(pictures.map((one) => (one === picture ? { ...one, key, imageId: null, src, file } : one)));
    onUpload([{ key, file }]);
  }

  function step(picture: PictureDraft, by: -1 | 1) {
    const at = shown.indexOf(picture);
    const onto = shown[at + by];
    if (!onto) return;
    onChange(reorder(pictures, picture.key, onto.key));
    setAnnouncement(`${captionOf(picture, draft.name, chosen.name)} is now ${at + by + 1} of ${shown.length}.`);
  }

  return (
    <div className={styles.part}>
      <div className={styles.which}>
        <Segments
          label="Pictures of"
          options={places.map(({ key, name }) => ({
            value: key || 'every',
            label: `${name} ${pictures.filter((picture) => picture.colorKey === key).length}`,
          }))}
          chosen={chosen.key || 'every'}
          onChoose={(key) => setColorKey(key === 'every' ? '' : key)}
        />
      </div>
      <Sortable
        items={shown.map((picture) => ({ key: picture.key, name: captionOf(picture, draft.name, chosen.name) }))}
        onMove={(key, onto) => onChange(reorder(pictures, key, onto))}
      >
        <ul className={styles.pictures} aria-label={`Pictures, ${chosen.name}`}>
          {shown.map((picture, at) => (
            <Tile
              key={picture.key}
              picture={picture}
              words={captionOf(picture, draft.name, chosen.name)}
              place={`${at + 1} of ${shown.length}`}
              share={shares[picture.key]}
              onEdit={() => setEditing(picture.key)}
              onStop={() => onStop(picture.key)}
            />
          ))}
          <li>
            <AddPictures types={types} onAdd={add} />
          </li>
        </ul>
      </Sortable>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {fileErrors.length > 0 && <ErrorNote>{fileErrors.join(' ')}</ErrorNote>}
      {error && <ErrorNote>{error}</ErrorNote>}
      {edited && (
        <PictureDialog
          picture={edited}
          places={places}
          types={types}
          isFirst={shown[0] === edited}
          isLast={shown.at(-1) === edited}
          onChange={(edits) => onChange(pictures.map((one) => (one === edited ? { ...one, ...edits } : one)))}
          onMove={(by) => step(edited, by)}
          onReplace={(file) => replace(edited, file)}
          onDelete={() => {
            onChange(pictures.filter((one) => one !== edited));
            setEditing(null);
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}
