import { useState } from 'react';
import { Panel } from '~/features/admin/panel';
import { CreateProduct } from '~/features/admin/products/create-product';
import { texts } from '~/features/admin/products/texts';
import { texts as adminTexts } from '~/features/admin/texts';
import { serverWords } from '~/graphql/settled';
import type { AdminViewer } from './admin-viewer';
import { useCreateProductFormQuery } from './admin.generated';

/** A new product; a form that has done its work is replaced by an empty one. */
export default function CreateProductTab({ viewer }: { viewer: AdminViewer }) {
  const { data, error } = useCreateProductFormQuery({ fetchPolicy: 'cache-and-network' });
  const [created, setCreated] = useState(0);
  return (
    <Panel
      title={adminTexts.createProduct}
      waiting="Fetching categories"
      failed={error ? (serverWords(error) ?? texts.formFailed) : false}
    >
      {data && (
        <CreateProduct
          key={created}
          options={data}
          allowed={viewer.isPrimaryAdmin}
          onCreated={() => setCreated(created + 1)}
        />
      )}
    </Panel>
  );
}
