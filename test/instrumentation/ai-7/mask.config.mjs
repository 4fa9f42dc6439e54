export default { mask: ({ data }) => (typeof data === 'string' ? data.replaceAll('4711', '(masked)') : data) }
