export default function Screen() {
  return (
    <div className="page">
      <h1>Sign In</h1>
    </div>
  );
}
