export const queries = [];
