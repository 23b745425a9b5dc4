import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { GripIcon } from '~/ui/icons';
import styles from './sortable.module.css';

/** A press that moves no further is a press, and a finger that moves at once scrolls. */
const MOUSE = { activationConstraint: { distance: 4 } };
const TOUCH = { activationConstraint: { delay: 200, tolerance: 8 } };
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates };

const INSTRUCTIONS =
  'Press Space to lift it, the arrow keys to move it, Space to put it down, and Escape to leave it where it was.';

interface Sorted {
  key: string;
  /** What it is called where it is said how it moves. */
  name: string;
}

interface SortableProps {
  items: readonly Sorted[];
  /** Whether they stand below each other, or in a grid. */
  inRows?: boolean;
  /** One of them takes the place of another. */
  onMove: (key: string, onto: string) => void;
  children: ReactNode;
}

function announcements(items: readonly Sorted[]): Announcements {
  const say = (id: string | number, words: string, at = id) => {
    const name = items.find(({ key }) => key === id)?.name ?? '';
    return `${name} ${words} ${items.findIndex(({ key }) => key === at) + 1} of ${items.length}.`;
  };
  return {
    onDragStart: ({ active }) => say(active.id, 'is lifted,'),
    onDragOver: ({ active, over }) => say(active.id, 'is now', over?.id),
    onDragEnd: ({ active, over }) => say(active.id, 'is put down,', over?.id),
    onDragCancel: ({ active }) => say(active.id, 'is back,'),
  };
}

/** Holds what is put into order by a mouse, a finger or the arrow keys. */
export function Sortable({ items, inRows = false, onMove, children }: SortableProps) {
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, KEYBOARD),
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: announcements(items),
        screenReaderInstructions: { draggable: INSTRUCTIONS },
      }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onMove(String(active.id), String(over.id));
      }}
    >
      <SortableContext
        items={items.map(({ key }) => key)}
        strategy={inRows ? verticalListSortingStrategy : rectSortingStrategy}
      >
        {children}
      </SortableContext>
    </DndContext>
  );
}

interface SortedOptions {
  /** What its grip is called. */
  label: string;
  /** It can be taken anywhere, and not at its grip alone. */
  anywhere?: boolean;
}

/** What makes an element one of those that are ordered, and the grip for its inside. */
export function useSorted(key: string, { label, anywhere = false }: SortedOptions) {
  const { attributes, listeners, setActivatorNodeRef, setNodeRef, transform, transition, isDragging } = useSortable({
    id: key,
  });
  const grip = (
    <button
      ref={setActivatorNodeRef}
      type="button"
      className={styles.grip}
      title="Drag, or press Space and the arrow keys"
      {...attributes}
      {...(!anywhere && listeners)}
      aria-label={label}
    >
      <GripIcon size={18} />
    </button>
  );
  return {
    grip,
    item: {
      ref: setNodeRef,
      className: isDragging ? `${styles.item} ${styles.lifted}` : styles.item,
      style: { transform: CSS.Translate.toString(transform), transition },
      ...(anywhere && listeners),
    },
  };
}
