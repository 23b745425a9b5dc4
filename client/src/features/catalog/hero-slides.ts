import type { Gender } from '~/graphql/schema.generated';

export interface HeroWords {
  /** On two lines. */
  title: string;
  description: string;
  to: string;
  /** Whose pictures it shows: the first or second piece of that kind. */
  kind: 'jeans' | 'shirts';
  place: 0 | 1;
}

const jeans = (gender: string, place: 0 | 1, title: string, description: string): HeroWords => ({
  title,
  description,
  to: `/category/${gender}/jeans`,
  kind: 'jeans',
  place,
});

const shirts = (gender: string, place: 0 | 1, title: string, description: string): HeroWords => ({
  title,
  description,
  to: `/category/${gender}/shirts`,
  kind: 'shirts',
  place,
});

/** What the hero says, in order. It is true of the whole kind, because the pictures follow what sells. */
export const heroWords: Record<Gender, readonly HeroWords[]> = {
  MEN: [
    jeans(
      'men',
      0,
      'Denim,\nleft alone',
      'Washed once or not at all. It starts stiff and ends up fitting nobody but you.',
    ),
    shirts(
      'men',
      0,
      'Nothing\nto add',
      'Oxford, poplin, linen and flannel, cut straight and made to be worn out slowly.',
    ),
    jeans(
      'men',
      1,
      'Five pockets,\nno slogans',
      'From slim to loose, in blues that are dyed to fade and blacks that are not.',
    ),
    shirts(
      'men',
      1,
      'Room to roll\nthe sleeves',
      'Regular through the body, and long enough to stay where you tuck it.',
    ),
  ],
  WOMEN: [
    jeans(
      'women',
      0,
      'High, wide\nand plain',
      'A waist that sits where it should and a leg that hangs. The rest is cotton.',
    ),
    shirts('women', 0, 'The shirt,\ntaken back', 'Dropped shoulders, long tails and collars that hold without starch.'),
    jeans('women', 1, 'Blue takes\nits time', 'Indigo fades where you move. No two pairs end up alike.'),
    shirts(
      'women',
      1,
      'Less blouse,\nmore shirt',
      'Poplin, linen and fluid twill, with nothing on them that does not hold them together.',
    ),
  ],
};
