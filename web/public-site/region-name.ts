export const regionName = (region: string) => region
