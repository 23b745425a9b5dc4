import type { PageBlocksFragment } from './page-blocks.generated';

export type Block = PageBlocksFragment['blocks'][number];
export type BlockOf<Name extends Block['__typename']> = Extract<Block, { __typename: Name }>;
