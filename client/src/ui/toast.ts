import { json, stored } from './stored';

type ToastKind = 'info' | 'error';

/** Something to do about it: here, or at another address. */
type ToastAction = { label: string; run: () => void } | { label: string; to: string };

export interface ToastMessage {
  /** Another one each time that the same is said while it is there. */
  id: number;
  kind: ToastKind;
  text: string;
  action?: ToastAction | undefined;
}

function isMessages(value: unknown): value is ToastMessage[] {
  return Array.isArray(value) && value.every((message: Partial<ToastMessage> | null) => message?.text);
}

/** Messages on their way from one document to the next, in this tab. */
const carried = stored('minimal:toasts', json(isMessages));

function takeCarried(): ToastMessage[] {
  const messages = carried.read();
  if (messages) carried.write(null);
  return messages ?? [];
}

let queue: readonly ToastMessage[] = takeCarried();
let lastId = queue.at(-1)?.id ?? 0;
const nextId = () => (lastId += 1);
/** What the next document shows, once this one is being left. */
let leaving: ToastMessage[] | null = null;
const listeners = new Set<() => void>();

function change(next: readonly ToastMessage[]) {
  queue = next;
  for (const listener of listeners) listener();
}

/** What is said again in the same words, by another part of the page or of another deed, is one message. */
function merge(same: ToastMessage, kind: ToastKind, action: ToastAction | undefined) {
  const merged = {
    ...same,
    id: nextId(),
    kind: kind === 'info' ? kind : same.kind,
    action: same.action ?? action,
  };
  change(queue.map((message) => (message === same ? merged : message)));
}

function show(kind: ToastKind, text: string, action?: ToastAction) {
  const same = queue.find((message) => message.text === text);
  if (same) return merge(same, kind, action);
  const message = { id: nextId(), kind, text, action };
  leaving?.push(message);
  change([...queue, message]);
}

/** Says something at the bottom right. Messages come one after the other, each for two seconds. */
export const toast = {
  info: (text: string, action?: ToastAction) => show('info', text, action),
  success: (text: string, action?: ToastAction) => show('info', text, action),
  error: (text: string, action?: ToastAction) => show('error', text, action),
};

export const toastQueue = {
  first: () => queue[0],
  dismiss: (id: number) => change(queue.filter((message) => message.id !== id)),
  clear: () => change([]),
  /** This document is left: the next one shows what is not read by now, and what is said until its end. */
  carryOver: () => {
    if (leaving) return;
    leaving = [...queue];
    const carry = () => {
      carried.write(leaving);
      leaving = null;
      change([]);
    };
    window.addEventListener('pagehide', carry, { once: true });
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
