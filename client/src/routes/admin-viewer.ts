import type { AdminViewerQuery } from './admin.generated';

/** The admin who looks at the back office. */
export type AdminViewer = NonNullable<AdminViewerQuery['viewer']>;
