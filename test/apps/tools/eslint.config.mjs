export default [{ files: ['main.js'], rules: { 'no-undef': 'error' } }]
