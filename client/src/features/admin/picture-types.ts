/** How files of the accepted types end, from the MIME types that the shop states. */
export const extensionsOf = (types: readonly string[]): string[] =>
  types.flatMap((type) => (type === 'image/jpeg' ? ['jpeg', 'jpg'] : [type.replace('image/', '')]));
