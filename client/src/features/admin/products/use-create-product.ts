import type { ApolloCache } from '@apollo/client';
import { useRef, useState } from 'react';
import { UploadRefused } from '~/features/admin/upload';
import { type CreateProductMutation, useCreateProductMutation } from './create-product.generated';
import { productInput } from './product-input';
import type { ProductValues } from './product-rules';
import { uploadPicture } from './upload-picture';

interface Created {
  data?: { createProduct: CreateProductMutation['createProduct'] | PictureRefused } | null | undefined;
}

/** A picture was refused before there was anything to create. */
interface PictureRefused {
  __typename: 'PictureRefused';
  message?: string;
}

function forgetLists(cache: ApolloCache) {
  for (const fieldName of ['products', 'admin', 'categories']) cache.evict({ id: 'ROOT_QUERY', fieldName });
}

/** Uploads the pictures one by one, then creates the product. A second try sends only the pictures still missing. */
export function useCreateProduct() {
  const uploaded = useRef(new Map<string, string>());
  const [progress, setProgress] = useState<{ key: string; share: number } | null>(null);
  const [createProduct] = useCreateProductMutation({
    update(cache, { data }) {
      if (data?.createProduct.__typename === 'ProductCreated') forgetLists(cache);
    },
  });

  async function upload({ images }: ProductValues): Promise<string[]> {
    const ids: string[] = [];
    for (const { key, file } of images) {
      const onProgress = (share: number) => setProgress({ key, share });
      const id = uploaded.current.get(key) ?? (await uploadPicture(file, onProgress));
      uploaded.current.set(key, id);
      ids.push(id);
    }
    return ids;
  }

  async function create(values: ProductValues): Promise<Created> {
    try {
      const ids = await upload(values);
      return await createProduct({ variables: { product: productInput(values, ids) } });
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      return {
        data: { createProduct: { __typename: 'PictureRefused', ...(error.message && { message: error.message }) } },
      };
    } finally {
      setProgress(null);
    }
  }

  return { create, progress };
}
