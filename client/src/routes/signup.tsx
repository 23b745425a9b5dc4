export default function Screen() {
  return (
    <div className="page">
      <h1>Sign Up</h1>
    </div>
  );
}
