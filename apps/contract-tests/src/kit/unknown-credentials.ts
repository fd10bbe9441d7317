/** Credentials of the right form that no service has issued. */
export const UNKNOWN_CREDENTIALS = {
  secretCode: 'twc_00000000000000000000',
  secretToken: 'twt_test_1fJjkkpe9PiTw9KSulA8Ghct30vZz4HpdQ5c5b9cPF12Z1amY',
}

export const UNKNOWN_PARTNER = {
  partnerCode: 'UNKNOWN',
  partnerSecret: 'tws_test_1fJjkkpe9PiTw9KSulA8Ghct30vZz4HpdQ5c5b9cPF1331EEB',
}
