export default function Screen() {
  return (
    <div className="page">
      <h1>Reset Your Password</h1>
    </div>
  );
}
