import { formatNumber } from '~/ui/format';
import { texts as ui } from '~/ui/texts';

const listed = (words: readonly string[], word: 'and' | 'or') =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;

/** What the back office says about products; the letter is the specification's. */
export const texts = {
  categories: 'Categories',
  importAndExport: 'Import and export',
  productsFailed: ui.productsFailed,
  productFailed: ui.productFailed,
  noSuchProduct: ui.productMissing,
  productDeleted: 'Product deleted successfully',
  productDeleteFailed: 'Error deleting product',
  noProducts: 'There are no such products.',

  basics: 'Basic Information',
  pricing: 'Pricing',
  categorization: 'Categorization',
  colorsAndSizes: 'Colors & Sizes',
  measurements: 'Measurements',
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
  chooseGender: 'Choose a gender to see its categories.',
  noCategories: 'It has no category yet.',
  hiddenCategory: (name: string) => `${name}, hidden`,
  categoryRequired: 'Product category is required',
  invalidLength: '1 to 300 cm',
  invalidStock: 'Invalid stock value',
  invalidWeight: 'Invalid weight value',
  imageRequired: 'Product image is required',
  notPictures: (fileNames: readonly string[], extensions: readonly string[]) =>
    `${listed(fileNames, 'and')} ${fileNames.length === 1 ? 'is' : 'are'} no ${listed(extensions, 'or')} ${fileNames.length === 1 ? 'picture' : 'pictures'}.`,
  tooManyPictures: (most: number, fileNames: readonly string[]) =>
    `At most ${most} pictures: ${listed(fileNames, 'and')} ${fileNames.length === 1 ? 'is' : 'are'} left out.`,
  colorRequired: 'At least one color must be selected',
  colorTwice: 'Colors need different names',
  sizeRequired: 'At least one size must be selected',
  invalidMoment: 'Enter a date with a year of four digits',
  windowTurned: 'The discount ends before it begins',
  detailIncomplete: 'A detail needs a name and a text',

  bulkChanged: (count: number) => `${count === 1 ? '1 product' : `${formatNumber(count)} products`} changed`,
  bulkFailed: 'Error changing products',
  previewFailed: 'Error previewing the change',

  uploadFailed: (name: string) => `${name} could not be sent. Please try again.`,
  productSaved: 'Product saved',
  productSaveFailed: 'Error saving product',
  retired: 'Product retired',
  restored: 'Product is on offer again',
  duplicated: 'Product duplicated',
  duplicateFailed: 'Error duplicating product',
  retireFailed: 'Error retiring product',
  restoreFailed: 'Error restoring product',
  changedMeanwhile: 'This product has changed',
} as const;
