/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function AuditLogRoom() {
  return null;
}
