export default function Screen() {
  return <h1>category</h1>;
}
