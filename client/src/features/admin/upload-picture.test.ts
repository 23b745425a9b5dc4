import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { UploadStopped } from './upload';
import { shopServer } from '~/test/shop';
import { pictureUploads } from './upload-picture';

const shop = shopServer();
const bucket = 'https://bucket.test/uploads/u/s1';
const picture = new File(['xyz'], 'shirt.png', { type: 'image/png' });
const ignored = () => undefined;
const goesOn = new AbortController().signal;

interface Answers {
  /** What the shop answers instead of a signed URL. */
  unsigned?: number;
  /** Whether the bucket's CORS rules let this page send. */
  isOpen?: boolean;
  bucketSays?: () => Response;
  takenOver?: () => Response;
}

/** Answers every request of an upload and tells what came, in order. */
function answer({ unsigned, isOpen = true, bucketSays, takenOver }: Answers = {}) {
  const came: string[] = [];
  const id = (value: string) => HttpResponse.json({ id: value, url: bucket }, { status: 201 });
  const noted =
    (name: string, say: () => Response) =>
    async ({ request }: { request: Request }) => {
      came.push(`${name} ${request.headers.get('content-type')} ${await request.text()}`);
      return say();
    };
  const rules = {
    'Access-Control-Allow-Origin': location.origin,
    'Access-Control-Allow-Methods': 'PUT',
    'Access-Control-Allow-Headers': 'content-type',
  };
  const headers = isOpen ? rules : {};
  shop.use(
    http.post(
      '/uploads/images/signed',
      noted('sign', () => (unsigned ? new HttpResponse(null, { status: unsigned }) : id('s1'))),
    ),
    http.options(bucket, () => new HttpResponse(null, { headers })),
    http.put(bucket, noted('bucket', bucketSays ?? (() => new HttpResponse(null, { headers })))),
    http.post('/uploads/images/signed/s1', noted('take', takenOver ?? (() => id('p1')))),
    http.post(
      '/uploads/images',
      noted('shop', () => id('p2')),
    ),
  );
  return came;
}

const names = (came: string[]) => came.map((each) => each.split(' ')[0]);

it('sends a picture to the bucket and has the shop take it over', async () => {
  const came = answer();
  const shares: number[] = [];

  const id = await pictureUploads()(picture, (share) => shares.push(share), goesOn);

  expect(id).toBe('p1');
  expect(came).toEqual(['sign application/json {"size":3}', 'bucket image/png xyz', 'take application/json {}']);
  expect(shares.at(-1)).toBe(1);
});

it('sends it and those after it to the shop when the bucket has no rules for its page', async () => {
  const came = answer({ isOpen: false });
  const send = pictureUploads();

  const ids = [await send(picture, ignored, goesOn), await send(picture, ignored, goesOn)];

  expect(ids).toEqual(['p2', 'p2']);
  expect(names(came)).toEqual(['sign', 'shop', 'shop']);
});

it('sends it to the shop when the bucket refuses it', async () => {
  const headers = { 'Access-Control-Allow-Origin': '*' };
  const came = answer({ bucketSays: () => new HttpResponse(null, { status: 403, headers }) });

  expect(await pictureUploads()(picture, ignored, goesOn)).toBe('p2');

  expect(names(came)).toEqual(['sign', 'bucket', 'shop']);
});

it.each([
  ['without such a bucket', 204],
  ['of the version before', 404],
  ['of the version before', 405],
])('asks a shop %s once (%s)', async (_words, unsigned) => {
  const came = answer({ unsigned });
  const send = pictureUploads();

  const ids = [await send(picture, ignored, goesOn), await send(picture, ignored, goesOn)];

  expect(ids).toEqual(['p2', 'p2']);
  expect(names(came)).toEqual(['sign', 'shop', 'shop']);
});

it('says why the shop does not take over what the bucket has, and sends it nowhere else', async () => {
  const came = answer({
    takenOver: () => HttpResponse.json({ message: 'This picture is damaged.' }, { status: 400 }),
  });

  await expect(pictureUploads()(picture, ignored, goesOn)).rejects.toThrow('This picture is damaged.');

  expect(names(came)).toEqual(['sign', 'bucket', 'take']);
});

it('is stopped on its way to the bucket, and not sent to the shop instead', async () => {
  const stop = new AbortController();
  const came = answer({
    bucketSays: () => {
      stop.abort();
      return new HttpResponse();
    },
  });

  await expect(pictureUploads()(picture, ignored, stop.signal)).rejects.toBeInstanceOf(UploadStopped);

  expect(names(came)).toEqual(['sign', 'bucket']);
});
