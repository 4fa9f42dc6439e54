/** `1,234` */
export const counted = (count: number): string => count.toLocaleString('en-US')
