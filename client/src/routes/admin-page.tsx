import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Names } from '~/features/admin/content/block-field';
import { EditPage, type PreviewProps } from '~/features/admin/content/edit-page';
import { PreviewFrame } from '~/features/admin/content/preview-frame';
import { texts } from '~/features/admin/content/texts';
import { Panel, PanelFailure } from '~/features/admin/panel';
import { BlockShelf } from '~/features/catalog/block-shelf';
import { PageBlocks } from '~/features/content/page-blocks';
import { serverWords } from '~/graphql/settled';
import { type AdminPageQuery, useAdminPagePreviewQuery, useAdminPageQuery } from './admin-page.generated';

const PAUSE_MS = 400;
const NO_PROBLEMS = {};

/** What is typed, once it pauses. */
function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** The page as shoppers would see it, drawn by what draws it for them; as it was before while something is wrong. */
function Preview({ pageId, input, onProblems }: PreviewProps) {
  const shown = usePaused(input);
  const { data, previousData, error } = useAdminPagePreviewQuery({
    variables: { id: pageId, input: shown },
    fetchPolicy: 'no-cache',
  });
  const answer = (data ?? previousData)?.admin?.page?.preview;
  const [page, setPage] = useState<Extract<typeof answer, { __typename: 'Page' }>>();
  if (answer?.__typename === 'Page' && answer !== page) setPage(answer);
  const tell = useEffectEvent(onProblems);

  useEffect(() => {
    if (answer?.__typename === 'InvalidInput')
      tell(Object.fromEntries(answer.errors.map(({ field, message }) => [field, message])));
    else if (answer) tell(NO_PROBLEMS);
  }, [answer]);

  const note = error ? (serverWords(error) ?? texts.previewFailed) : undefined;
  return (
    <PreviewFrame note={note ?? (answer?.__typename === 'InvalidInput' ? texts.previewWaits : undefined)}>
      {page && <PageBlocks page={page} renderShelf={(shelf) => <BlockShelf {...shelf} />} />}
    </PreviewFrame>
  );
}

const unique = <Named extends { key: string }>(all: readonly Named[]) => [
  ...new Map(all.map((one) => [one.key, one])).values(),
];

/** What is chosen from in forms of blocks. */
function namesOf({ categories, shop }: AdminPageQuery): Names {
  return {
    DEPARTMENT: unique(categories.map(({ department }) => department)),
    PRODUCT_KIND: unique(categories.map(({ kind }) => kind)),
    imageTypes: shop.imageTypes,
  };
}

/** One page that the owner writes. */
export default function PageScreen() {
  const { pageId = '' } = useParams();
  const navigate = useNavigate();
  const { data, error } = useAdminPageQuery({ variables: { id: pageId }, fetchPolicy: 'network-only' });
  const page = data?.admin?.page;

  if (data && !page) return <PanelFailure>{texts.noSuchPage}</PanelFailure>;
  if (!data?.admin || !page) {
    return (
      <Panel
        title={texts.title}
        waiting={texts.pageWaiting}
        failed={error ? (serverWords(error) ?? texts.pageFailed) : false}
      >
        {null}
      </Panel>
    );
  }
  return (
    <EditPage
      key={page.id}
      page={page}
      kinds={data.admin.blockKinds}
      names={namesOf(data)}
      Preview={Preview}
      onGone={() => void navigate('/admin/content')}
    />
  );
}
