import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui-es-bundle.js.LICENSE.txt?url'
import 'swagger-ui-dist/swagger-ui.css'
import '../styles/docs.css'

document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)

SwaggerUI({
  dom_id: '#docs',
  url: '/openapi.yaml',
  validatorUrl: null, // no other origin is asked
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
})
