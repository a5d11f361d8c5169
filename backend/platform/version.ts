/** The product's version as the panel shows it (product.md section 9). */
export const VERSION = '1.3'
