// Generated from `sap/dictionary` by the test beside it.

type Words<S extends string, Found = never> = S extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | S;
type Fields<S extends string> = { readonly [Field in Words<S> & string]: "STRING" };

/** SAP tables by name, with their fields in ECC or S/4HANA as columns of texts; widened by a project with its own. */
export interface Dictionary {
  ACDOCA: Fields<"rclnt rldnr rbukrs gjahr belnr docln ryear budat bldat racct rcntr prctr rhcur rwcur hsl wsl drcrk buzei kunnr lifnr matnr werks ebeln ebelp kdauf kdpos timestamp">;
  AUSP: Fields<"mandt objek atinn atzhl mafid klart adzhl atwrt atflv atawe atflb ataw1 atcod datuv lkenz">;
  BKPF: Fields<"mandt bukrs belnr gjahr blart bldat budat monat cpudt cputm aedat upddt wwert usnam tcode xblnr stblg stjah bktxt waers kursf bstat hwaer hwae2 awtyp awkey ldgrp">;
  BSEG: Fields<"mandt bukrs belnr gjahr buzei buzid augdt augcp augbl bschl koart umskz shkzg gsber mwskz dmbtr wrbtr pswbt pswsl dmbe2 zuonr sgtxt kostl aufnr prctr hkont kunnr lifnr zfbdt zterm zbd1t matnr werks menge meins ebeln ebelp vbel2 posn2">;
  EKBE: Fields<"mandt ebeln ebelp zekkn vgabe gjahr belnr buzei bewtp bwart budat menge bpmng dmbtr wrbtr waers arewr shkzg bwtar elikz xblnr lfgja lfbnr lfpos cpudt cputm reewr matnr werks hswae">;
  EKET: Fields<"mandt ebeln ebelp etenr eindt slfdt lpein menge ameng wemng wamng glmng dabmg uzeit banfn bnfpo bedat charg licha">;
  EKKN: Fields<"mandt ebeln ebelp zekkn loekz menge netwr sakto kostl aufnr ps_psp_pnr">;
  EKKO: Fields<"mandt ebeln bukrs bstyp bsart loekz statu aedat ernam lifnr spras zterm zbd1t ekorg ekgrp waers wkurs kufix bedat kdatb kdate reswk inco1 inco2 ktwrt knumv frgke procstat rlwrt lastchangedatetime">;
  EKPO: Fields<"mandt ebeln ebelp loekz statu aedat txz01 matnr ematn bukrs werks lgort bednr matkl infnr ktmng menge meins bprme bpumz bpumn umrez umren netpr peinh netwr brtwr effwr webaz mwskz uebto untto elikz erekz pstyp knttp wepos repos retpo bstyp lmein konnr ktpnr banfn bnfpo uniqueid">;
  KNA1: Fields<"mandt kunnr land1 name1 name2 ort01 pstlz regio sortl stras adrnr erdat ktokd loevm spras kukla">;
  KNVV: Fields<"mandt kunnr vkorg vtweg spart kdgrp bzirk konda pltyp waers inco1 zterm vkbur vkgrp">;
  LFA1: Fields<"mandt lifnr land1 name1 name2 ort01 pstl2 pstlz regio sortl stras adrnr erdat ernam ktokk loevm sperm sperr spras stceg xcpdk">;
  LFB1: Fields<"mandt lifnr bukrs erdat ernam sperr loevm akont zterm zwels intad">;
  LFM1: Fields<"mandt lifnr ekorg erdat ernam sperm loevm lfabc waers verkf telf1 minbw zterm inco1 inco2 ekgrp plifz">;
  LIKP: Fields<"mandt vbeln erdat lfart vstel vkorg kunnr kunag wadat wadat_ist lfdat">;
  LIPS: Fields<"mandt vbeln posnr matnr werks lgort charg lfimg vrkme meins lgmng vgbel vgpos">;
  MAKT: Fields<"mandt matnr spras maktx maktg">;
  MARA: Fields<"mandt matnr ersda ernam laeda aenam vpsta pstat lvorm mtart mbrsh matkl bismt meins bstme brgew ntgew gewei volum voleh spart ean11 xchpf mstae mstde prdha created_at_time">;
  MARC: Fields<"mandt matnr werks pstat lvorm bwtty xchar mmsta maabc ekgrp dismm dispo plifz webaz beskz sobsl minbe eisbe xchpf prctr umlmc trame bwesb glgmg lfgja lfmon">;
  MARCH: Fields<"mandt matnr werks lfgja lfmon umlmc trame bwesb glgmg">;
  MARD: Fields<"mandt matnr werks lgort pstat lvorm ersda lfgja lfmon labst umlme insme einme speme retme">;
  MARDH: Fields<"mandt matnr werks lgort lfgja lfmon labst umlme insme einme speme retme">;
  MATDOC: Fields<"mandt mblnr mjahr zeile record_type header_counter matnr werks lgort charg bwart shkzg menge meins budat ebeln ebelp">;
  MBEW: Fields<"mandt matnr bwkey bwtar lvorm lbkum salk3 vprsv verpr stprs peinh bklas salkv bwtty lfgja lfmon">;
  MBEWH: Fields<"mandt matnr bwkey bwtar lfgja lfmon lbkum salk3 vprsv verpr stprs peinh bklas salkv">;
  MCH1: Fields<"mandt matnr charg lvorm ersda ernam laeda aenam verab vfdat hsdat qndat lwedt zustd licha lifnr cuobj_bm">;
  MCHA: Fields<"mandt matnr werks charg lvorm ersda laeda vfdat hsdat bwtar lifnr licha">;
  MCHB: Fields<"mandt matnr werks lgort charg lvorm ersda laeda lfgja lfmon clabs cumlm cinsm ceinm cspem cretm">;
  MCHBH: Fields<"mandt matnr werks lgort charg lfgja lfmon clabs cumlm cinsm ceinm cspem cretm">;
  MSKU: Fields<"mandt matnr werks charg sobkz kunnr lfgja lfmon kulab kuins kuein">;
  MSLB: Fields<"mandt matnr werks charg sobkz lifnr lfgja lfmon lblab lbins lbein lbuml">;
  MSLBH: Fields<"mandt matnr werks charg sobkz lifnr lfgja lfmon lblab lbins lbein lbuml">;
  PLKO: Fields<"mandt plnty plnnr plnal zaehl datuv loekz andat annam aedat verwe werks statu plnme losvn losbs ktext txtsp">;
  QALS: Fields<"mandant prueflos werk art herkunft objnr matnr charg lichn lagortchrg lifnr ebeln ersteldat aenderdat pastrterm paendterm losmenge mengeneinh lmengeist lmengesch lmengepr einhprobe lmenge01 lmenge04">;
  QAVE: Fields<"mandant prueflos kzart zaehler vkatart vwerks vauswahlmg vcodegrp vcode vbewertung vname vdatum vezeiterf vaename">;
  T001: Fields<"mandt bukrs butxt ort01 land1 waers spras ktopl periv">;
  T001K: Fields<"mandt bwkey bukrs bwmod xbkng mlbwa">;
  T001L: Fields<"mandt werks lgort lgobe spart">;
  T001W: Fields<"mandt werks name1 bwkey kunnr lifnr fabkl land1 regio ort01 pstlz ekorg vkorg spras">;
  T002: Fields<"spras laspez lahq laiso">;
  T006: Fields<"mandt msehi dimid zaehl nennr exp10 addko andec decan isocode">;
  T006A: Fields<"mandt spras msehi mseh3 mseh6 mseht msehl">;
  T023T: Fields<"mandt spras matkl wgbez wgbez60">;
  T024: Fields<"mandt ekgrp eknam ektel ldest telfx smtp_addr">;
  T024E: Fields<"mandt ekorg ekotx bukrs">;
  T077K: Fields<"mandt ktokk numkr xcpds">;
  T077Y: Fields<"mandt spras ktokk txt30">;
  T134T: Fields<"mandt spras mtart mtbez">;
  T161T: Fields<"mandt spras bsart bstyp batxt">;
  TCURF: Fields<"mandt kurst fcurr tcurr gdatu ffact tfact abwct abwga">;
  TCURR: Fields<"mandt kurst fcurr tcurr gdatu ukurs ffact tfact">;
  TCURX: Fields<"currkey currdec">;
  TQ30T: Fields<"mandant sprache art kurztext">;
  TQ31T: Fields<"sprache herkunft herktxt">;
  VBAK: Fields<"mandt vbeln erdat erzet ernam audat vbtyp trvog auart augru lifsk faksk netwr waerk vkorg vtweg spart vkgrp vkbur gsber guebg gueen knumv vdatu kalsm vsbed bstnk bsark bstdk kunnr kokrs aedat vgbel objnr bukrs_vf gbstk abstk lfstk lfgsk fksak uvall">;
  VBAP: Fields<"mandt vbeln posnr matnr matwa pmatn charg matkl arktx pstyv posar lfrel fkrel uepos abgru zmeng zieme kwmeng vrkme meins umvkz umvkn brgew ntgew gewei volum voleh netwr waerk netpr kpein kmein wavwr mwsbp werks lgort vstel route erdat ernam erzet aedat vgbel vgpos prctr gbsta lfsta lfgsa fksaa absta">;
  VBEP: Fields<"mandt vbeln posnr etenr ettyp edatu wmeng bmeng vrkme lmeng meins lifsp banfn">;
  VBFA: Fields<"mandt vbelv posnv vbeln posnn vbtyp_n rfmng meins rfwrt waers vbtyp_v plmin taqui erdat erzet matnr bwart bdart plart stufe lgnum aedat fktyp rfmng_flo mjahr ruuid">;
  VBKD: Fields<"mandt vbeln posnr konda kdgrp bzirk pltyp inco1 inco2 kzazu kurrf valtg valdt zterm zlsch ktgrd kursk prsdt fkdat fbuda gjahr poper stcur bstkd bstdk bsark ihrez">;
  VBPA: Fields<"mandt vbeln posnr parvw kunnr lifnr pernr parnr adrnr ablad land1 adrda xcpdk hityp prfre bokre histunr knref lzone stceg">;
  VBRK: Fields<"mandt vbeln fkart vbtyp waerk vkorg fkdat bukrs gjahr poper kurrf netwr kunrg kunag fksto sfakn rfbsk">;
  VBRP: Fields<"mandt vbeln posnr fkimg vrkme netwr matnr vgbel vgpos aubel aupos werks wavwr mwsbp">;
  VBUK: Fields<"mandt vbeln rfstk rfgsk bestk lfstk lfgsk wbstk fkstk fksak buchk abstk gbstk kostk lvstk uvall uvals vbtyp cmgst aedat">;
  VBUP: Fields<"mandt vbeln posnr rfsta rfgsa besta lfsta lfgsa wbsta fksta fksaa absta gbsta kosta lvsta uvall">;
}
