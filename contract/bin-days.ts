/** For how many days a deleted server can be restored. Without schemas, because the first page needs it. */
export const BIN_DAYS = 7
