interface NamedColor {
  id: string;
  name: string;
  family: string;
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);

/**
 * Id of the color in which a list shows a product at first: one of the families that the list is narrowed to, else the
 * one that most of the searched words are about, else the first.
 */
export function shownColor<Color extends NamedColor>(
  colors: readonly Color[],
  families: readonly string[],
  searched: string | null,
): string | undefined {
  const searchedWords = new Set(wordsOf(searched ?? ''));
  const rank = ({ name, family }: Color) =>
    [...new Set([...wordsOf(name), ...wordsOf(family)])].filter((word) => searchedWords.has(word)).length;
  const narrowed = colors.filter(({ family }) => families.includes(family));
  const [first, ...others] = narrowed.length > 0 ? narrowed : colors;
  return first && others.reduce((best, color) => (rank(color) > rank(best) ? color : best), first).id;
}
