import { testPartnerStatus } from '../kit/partner-status-tests.ts'
import { startServiceForFile } from '../kit/test-service.ts'

testPartnerStatus(await startServiceForFile(), 'suspendPartner')
