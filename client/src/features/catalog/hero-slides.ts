import type { Department } from '~/graphql/catalogue';

type Kind = 'jeans' | 'shirts';

export interface HeroWords {
  /** On two lines. */
  title: string;
  description: string;
  /** Whose pictures it shows, and where it leads: the first or second piece of that kind. */
  kind: Kind;
  place: 0 | 1;
}

const slide = (kind: Kind, place: 0 | 1, title: string, description: string): HeroWords => ({
  title,
  description,
  kind,
  place,
});

/** What the hero says, in order. It is true of the whole kind, because the pictures follow what sells. */
export const heroWords: Record<Department, readonly HeroWords[]> = {
  men: [
    slide(
      'jeans',
      0,
      'Denim,\nleft alone',
      'Washed once or not at all. It starts stiff and ends up fitting nobody but you.',
    ),
    slide(
      'shirts',
      0,
      'Nothing\nto add',
      'Oxford, poplin, linen and flannel, cut straight and made to be worn out slowly.',
    ),
    slide(
      'jeans',
      1,
      'Five pockets,\nno slogans',
      'From slim to loose, in blues that are dyed to fade and blacks that are not.',
    ),
    slide(
      'shirts',
      1,
      'Room to roll\nthe sleeves',
      'Regular through the body, and long enough to stay where you tuck it.',
    ),
  ],
  women: [
    slide(
      'jeans',
      0,
      'High, wide\nand plain',
      'A waist that sits where it should and a leg that hangs. The rest is cotton.',
    ),
    slide('shirts', 0, 'The shirt,\ntaken back', 'Dropped shoulders, long tails and collars that hold without starch.'),
    slide('jeans', 1, 'Blue takes\nits time', 'Indigo fades where you move. No two pairs end up alike.'),
    slide(
      'shirts',
      1,
      'Less blouse,\nmore shirt',
      'Poplin, linen and fluid twill, with nothing on them that does not hold them together.',
    ),
  ],
};
