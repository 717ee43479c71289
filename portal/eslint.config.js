import js from '@eslint/js'
import ts from 'typescript-eslint'

export default ts.config(
  { ignores: ['node_modules/'] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js'] } } },
    rules: {
      'max-len': ['error', { code: 120, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true }],
      'max-lines': ['error', 250],
      'max-lines-per-function': ['error', 50],
      complexity: ['error', 10],
      'no-console': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  { files: ['src/texts/??.ts', 'src/texts/texts.ts'], rules: { 'max-lines': 'off' } }, // a line for each text
  { files: ['test/**'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['*.js'], ...ts.configs.disableTypeChecked },
)
