/** Who is signed in, as this browser remembers it; `expiresAt` in milliseconds since 1970. */
export interface StoredUser {
  id: string;
  name: string;
  email: string;
  role: 'admin' | 'user';
  expiresAt: number;
}
