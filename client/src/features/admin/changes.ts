/** Something that differs between two drafts of one thing. */
export interface Change {
  /** The same for the same thing. */
  key: string;
  /** "price", "Indigo M". */
  label: string;
  from?: string;
  to?: string;
}
