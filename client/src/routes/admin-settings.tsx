/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function SettingsRoom() {
  return null;
}
