type ToastKind = 'info' | 'error';

interface ToastAction {
  label: string;
  run: () => void;
}

export interface ToastMessage {
  id: number;
  kind: ToastKind;
  text: string;
  action?: ToastAction | undefined;
}

let queue: readonly ToastMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly ToastMessage[]) {
  queue = next;
  for (const listener of listeners) listener();
}

function show(kind: ToastKind, text: string, action?: ToastAction) {
  lastId += 1;
  change([...queue, { id: lastId, kind, text, action }]);
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
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
