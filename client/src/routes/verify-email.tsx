export default function Screen() {
  return (
    <div className="page">
      <h1>Verify E-mail</h1>
    </div>
  );
}
