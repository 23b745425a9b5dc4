import type { ApolloCache } from '@apollo/client';
import { useRef, useState } from 'react';
import { UploadRefused, upload as send } from '~/features/admin/upload';
import { settled } from '~/graphql/settled';
import { type CreateProductMutation, useCreateProductMutation } from './create-product.generated';
import { productInput } from './product-input';
import type { ProductValues } from './product-rules';

export type CreateProductResult = CreateProductMutation['createProduct'];

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
      const id = uploaded.current.get(key) ?? (await send('/uploads/images', file, onProgress));
      uploaded.current.set(key, id);
      ids.push(id);
    }
    return ids;
  }

  async function create(
    values: ProductValues,
  ): Promise<{ result?: CreateProductResult | undefined; said?: string | undefined }> {
    try {
      const ids = await upload(values);
      const { data, said } = await settled(createProduct({ variables: { product: productInput(values, ids) } }));
      return { result: data?.createProduct, said };
    } catch (error) {
      if (error instanceof UploadRefused) return { said: error.message || undefined };
      throw error;
    } finally {
      setProgress(null);
    }
  }

  return { create, progress };
}
