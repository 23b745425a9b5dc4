export default function Screen() {
  return (
    <div className="page">
      <h1>Forgot Password</h1>
    </div>
  );
}
