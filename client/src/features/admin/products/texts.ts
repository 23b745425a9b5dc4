import { texts as ui } from '~/ui/texts';

/** What the back office says about products; the letter is the specification's. */
export const texts = {
  productsFailed: ui.productsFailed,
  productDeleted: 'Product deleted successfully',
  productDeleteFailed: 'Error deleting product',

  basics: 'Basic Information',
  pricing: 'Pricing',
  categorization: 'Categorization',
  colorsAndSizes: 'Colors & Sizes',
  images: 'Product Images',
  creating: 'Creating ...',
  productCreated: 'Product created successfully',
  productCreateFailed: 'Error creating product',
  formFailed: 'Error retrieving categories',

  nameRequired: 'Product name is required',
  subtitleRequired: 'Product subtitle is required',
  descriptionRequired: 'Product description is required',
  invalidPrice: 'Invalid price value',
  invalidDiscountedPrice: 'Invalid discounted price value',
  genderRequired: 'Select a gender',
  categoryRequired: 'Product category is required',
  invalidStock: 'Invalid stock value',
  imageRequired: 'Product image is required',
  colorRequired: 'At least one color must be selected',
  sizeRequired: 'At least one size must be selected',
} as const;
