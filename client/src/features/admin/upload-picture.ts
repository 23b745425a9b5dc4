import { idIn, send, UploadStopped, upload } from './upload';

const address = '/uploads/images';
const signedAddress = `${address}/signed`;

interface Signed {
  id: string;
  url: string;
}

const asJson = (value: unknown) => new Blob([JSON.stringify(value)], { type: 'application/json' });
const ignored = () => undefined;

/** Uploads go to the shop itself; also to one of the version before, which lacks the query. */
const notSigned = [204, 404, 405];

/** Where the bucket takes a picture; null when the shop wants it itself. Rejects with UploadRefused. */
async function sign(file: Blob, stop: AbortSignal): Promise<Signed | null> {
  const sent = await send('POST', signedAddress, asJson({ size: file.size }), ignored, stop);
  if (notSigned.includes(sent.status)) return null;
  return { id: idIn(sent), url: (JSON.parse(sent.body) as Signed).url };
}

/** Whether the bucket has taken the file. One without rules for this origin fails as if it were not there. */
async function put(url: string, file: Blob, onProgress: (share: number) => void, stop: AbortSignal) {
  try {
    const { status } = await send('PUT', url, file, onProgress, stop);
    return status === 200;
  } catch (error) {
    if (error instanceof UploadStopped) throw error;
    return false;
  }
}

/** The id of a picture that went by the bucket; null when it has to be sent to the shop. */
async function sendDirectly(file: Blob, onProgress: (share: number) => void, stop: AbortSignal) {
  const signed = await sign(file, stop);
  if (!signed || !(await put(signed.url, file, onProgress, stop))) return null;
  return idIn(await send('POST', `${signedAddress}/${signed.id}`, asJson({}), ignored, stop));
}

/** Sends pictures to the bucket while it takes them, else to the shop. */
export function pictureUploads() {
  let isDirect = true;

  return async (file: Blob, onProgress: (share: number) => void, stop: AbortSignal): Promise<string> => {
    const id = isDirect ? await sendDirectly(file, onProgress, stop) : null;
    if (id !== null) return id;
    isDirect = false;
    return upload(address, file, onProgress, stop);
  };
}

/** Sends a picture and answers the id that it is kept under. Rejects as `upload` does. */
export const uploadPicture = pictureUploads();
