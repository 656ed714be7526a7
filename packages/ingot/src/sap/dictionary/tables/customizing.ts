/** Organisation, currencies, units, languages, and texts. In the notation of `parse-tables.ts`. */
export const CUSTOMIZING = `
T001: Company code
key MANDT CLNT3, BUKRS CHAR4
    BUTXT CHAR25, ORT01 CHAR25, LAND1 CHAR3, WAERS CUKY5, SPRAS LANG1, KTOPL CHAR4, PERIV CHAR2

T001K: Valuation area
# Only route from plant to company code: T001W-BWKEY → T001K-BWKEY → BUKRS
key MANDT CLNT3, BWKEY CHAR4
    BUKRS CHAR4, BWMOD CHAR4, XBKNG CHAR1, MLBWA CHAR1

T001L: Storage location
# Key has WERKS and LGORT
key MANDT CLNT3, WERKS CHAR4, LGORT CHAR4
    LGOBE CHAR16, SPART CHAR2

T001W: Plant
key MANDT CLNT3, WERKS CHAR4
    NAME1 CHAR30, BWKEY CHAR4, KUNNR CHAR10, LIFNR CHAR10, FABKL CHAR2, LAND1 CHAR3, REGIO CHAR3, ORT01 CHAR25,
    PSTLZ CHAR10, EKORG CHAR4, VKORG CHAR4, SPRAS LANG1

T023T: Material group text
# Language key SPRAS
key MANDT CLNT3, SPRAS LANG1, MATKL CHAR9
    WGBEZ CHAR20, WGBEZ60 CHAR60

T024: Purchasing group
# Not a text table
key MANDT CLNT3, EKGRP CHAR3
    EKNAM CHAR18, EKTEL CHAR12, LDEST CHAR4, TELFX CHAR31, SMTP_ADDR CHAR241

T024E: Purchasing organisation
# Not a text table
key MANDT CLNT3, EKORG CHAR4
    EKOTX CHAR20, BUKRS CHAR4

T077K: Supplier account group
# Texts are in T077Y (MANDT,SPRAS,KTOKK → TXT30)
key MANDT CLNT3, KTOKK CHAR4
    NUMKR CHAR2, XCPDS CHAR1

T077Y: Supplier account group texts
# Language key SPRAS
key MANDT CLNT3, SPRAS LANG1, KTOKK CHAR4
    TXT30 CHAR30

T134T: Material type text
# Language key SPRAS
key MANDT CLNT3, SPRAS LANG1, MTART CHAR4
    MTBEZ CHAR25

T161T: Purchasing document type text
# Language key SPRAS
key MANDT CLNT3, SPRAS LANG1, BSART CHAR4, BSTYP CHAR1
    BATXT CHAR20

TQ30T: Inspection type text
# Language key SPRACHE. Client column not verified: take the loaded file's header as authority
key MANDANT CLNT3, SPRACHE LANG1, ART CHAR8
    KURZTEXT CHAR40

TQ31T: Inspection lot origin text
# Language key SPRACHE. Client column not verified, as TQ30T
key SPRACHE LANG1, HERKUNFT CHAR2
    HERKTXT CHAR40

TCURF: Currency ratios
# GDATU is an inverted date, see section 2
key MANDT CLNT3, KURST CHAR4, FCURR CUKY5, TCURR CUKY5, GDATU CHAR8
    FFACT DEC9.0, TFACT DEC9.0, ABWCT CHAR4, ABWGA DATS8

TCURR: Exchange rates
# UKURS negative = indirect quotation
key MANDT CLNT3, KURST CHAR4, FCURR CUKY5, TCURR CUKY5, GDATU CHAR8
    UKURS DEC9.5, FFACT DEC9.0, TFACT DEC9.0

TCURX: Decimal places of currencies
# Client-independent. Absent currency = 2
key CURRKEY CUKY5
    CURRDEC INT1

T006: Units of measurement
# ISO code in ISOCODE; MSEHI internal (ST) differs from the English external code (PC)
key MANDT CLNT3, MSEHI UNIT3
    DIMID CHAR6, ZAEHL INT4, NENNR INT4, EXP10 INT2, ADDKO DEC9.6, ANDEC INT2, DECAN INT2, ISOCODE CHAR3

T006A: Unit texts (external codes per language)
# Language key SPRAS. MSEH3 commercial 3-char, MSEH6 technical
key MANDT CLNT3, SPRAS LANG1, MSEHI UNIT3
    MSEH3 CHAR3, MSEH6 CHAR6, MSEHT CHAR10, MSEHL CHAR30

T002: Languages
# Client-independent. SPRAS → LAISO
key SPRAS LANG1
    LASPEZ CHAR1, LAHQ CHAR1, LAISO CHAR2
`;
