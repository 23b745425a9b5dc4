import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { departmentsOf } from '~/graphql/catalogue';
import { Hanger } from '~/ui/empty';
import { ArrowRightIcon, SearchIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { useTitle } from '~/ui/use-title';
import { useCategoriesQuery } from './categories.generated';
import styles from './nothing-here.module.css';

/** An address that leads nowhere, and the ways on from it. */
export default function NothingHere() {
  useTitle('Nothing hangs here');
  const { data } = useCategoriesQuery();
  return (
    <div className={`page ${styles.here}`}>
      <div className={styles.hanger}>
        <Hanger width={150} />
      </div>
      <h1>Nothing hangs here</h1>
      <p className={styles.text}>
        This page was moved, or it never was. Search for what you wanted, or start from one of these.
      </p>
      <SearchForm />
      <ul className={styles.links}>
        {departmentsOf(data?.categories ?? []).map(({ key, name, path }) => (
          <li key={key}>
            <Link className="link" to={path}>
              {name}
            </Link>
          </li>
        ))}
        <li>
          <Link className="link" to="/category/sale">
            Sale
          </Link>
        </li>
      </ul>
    </div>
  );
}

/** Leads to the results; without script the browser sends it there itself. */
function SearchForm() {
  const [text, setText] = useState('');
  const navigate = useNavigate();

  function search(event: FormEvent) {
    event.preventDefault();
    void navigate(`/search?${new URLSearchParams({ q: text.trim() })}`);
  }

  return (
    <div role="search" className={styles.place}>
      <form className={styles.search} action="/search" method="get" onSubmit={search}>
        <SearchIcon />
        <input
          type="search"
          name="q"
          placeholder="Search"
          aria-label="Search for a product"
          minLength={2}
          required
          enterKeyHint="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" aria-label="Search">
          <ArrowRightIcon />
        </button>
      </form>
    </div>
  );
}
