"""Turkish."""

PHRASES = {
    "$bad": "hata hatası hatalar sorun sorunu problem uyarı uyarısı çökme",
    "work": """
        çalışıyor|çalıştı|çalışıyorlar|oldu|çözüldü|düzeldi|düzelmiş|geçti|geçiyor|halloldu|hallettim|derlendi|\
derleniyor|açıldı|açılıyor|başladı|yüklendi|işe
        işe yaradı|yarıyor
        sorun|hata|problem .. kalmadı|çözüldü|yok|gitti|düzeldi|kayboldu|vermiyor|almıyorum
        hata|sorun artık? yok|almıyorum|vermiyor|kalmadı
        hatasız|sorunsuz
        artık hata|çökmüyor|takılmıyor|sorun|donmuyor|kaybolmuyor .. yok|vermiyor
        hepsi|testler|her yeşil|geçti|geçiyor|tamam
        tam .. istediğim|beklediğim|olarak
        haklıymışsın|haklısın|haklıydın
        buymuş|oymuş
        sebep|sorun buymuş|oymuş
        çok daha hızlı
        yeşil
    """,
    "perfect": "mükemmel\nharika\nkusursuz\ntam istediğim\nsüper oldu",
    "praise": "teşekkürler|teşekkür|sağol|sağolun|eyvallah|süper|güzel|harika|bravo|eline|helal|şahane",
    "still": """
        hala|hâlâ|halen
        aynı hata|hatayı|sorun|şey|sonuç|hatası|şekilde|mesaj|problem
        yine aynı|hata|olmadı|de|çalışmıyor|çalışmadı
        eskisi gibi
        değişen bir
        tekrar hata|aynı
        ben .. dedim|istedim|sordum|söyledim|istemiştim|demiştim
        sana .. dedim|söyledim
        kaçıncı
        üçüncü|ikinci kez|kere|defa
        uydurdun
    """,
    "fail": """
        çalışmıyor|çalışmadı|olmadı|olmuyor|yaramadı|değişmedi|değişmiyor|düzelmedi|çözülmedi|çözmedi|geçmiyor|\
geçmedi|derlenmiyor|açılmıyor|açılmadı|bulamıyor|bulamadı|görünmüyor|gelmiyor|başlamıyor|bağlanmıyor|yüklenmiyor|\
kaydetmiyor|göstermiyor|yanlış|bozuldu|bozuk|bozdun|çöktü|çöküyor|patladı|patlıyor|kırıldı|donuyor|takılıyor
        işe yaramadı|yaramıyor
        fark etmedi|yok
        bir şey|fark değişmedi|yok
        faydası olmadı|yok
        ^ hayır
        daha kötü|yavaş
        hata veriyor|aldım|alıyorum|verdi|var
        istediğim .. değil
        öyle|bu|doğru değil
        böyle bir .. yok
        sildin|unuttun|bozdun
        yerine
        boş ver
        boşver
        kendim yaptım|çözdüm|buldum
        hiçbir şey|değişiklik|etkisi
    """,
    "weak": "hata|hatası|sorun|boş|eksik|kayboldu|kayıp\ndeğil\nyok",
    "part": "neredeyse\nkısmen\nyarım\nyarısı\ndaha iyi\nhariç\ndışında\ntam değil\nsadece ilk|bir|biri"
    "\nikisinden|üçünden biri|ikisi",
    "revert": "geri al|alın|döndür|getir|çevir\neski haline\nrevert\nrollback",
    "later": "deneyeceğim|deniyorum|denerim|bakarım|bakacağım|bakayım|deneyeyim\nakşam|yarın|sonra\nnot aldım",
    "past": "önce\nilk başta\ndün",
    "mine": "benim hatam|hatamdı\nhata bende|bendeydi",
    "wish": "keşke",
    "if": "eğer",
    "aside": "başka bir? konu|soru|şey\nbu arada",
    "hush": "sorun değil\nproblem değil\nneden olmasın\nnasıl çalışıyor|çalışır\nfena değil\nhata mesajı"
    "|mesajını|kodu\ntamam oldu",
}
