export const lemmaOf = (token: string): string => token
