import { testDecision } from '../kit/decision-tests.ts'
import { startServiceForFile } from '../kit/test-service.ts'

testDecision(await startServiceForFile(), 'acceptAuthorization')
