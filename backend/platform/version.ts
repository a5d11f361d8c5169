/** The version that the panel shows (product.md section 9). */
export const VERSION = '1.3'
