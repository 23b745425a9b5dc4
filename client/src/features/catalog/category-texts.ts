const sales: Readonly<Record<string, string>> = { Men: "Men's Sale", Women: "Women's Sale" };

export const texts = {
  saleOf: (department: string) => sales[department] ?? `${department} Sale`,
};
