export default function SearchSheet({ onClose }: { onClose: () => void }) {
  return <button onClick={onClose}>Close</button>;
}
